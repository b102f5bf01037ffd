/** Stands in for the `server-only` package outside Next, which polices the import itself inside its bundles. */
export {}
