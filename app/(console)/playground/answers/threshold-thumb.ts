export const THUMB =
  "size-4 rounded-full border-2 border-accent bg-surface shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-accent has-focus-visible:outline-offset-2"
