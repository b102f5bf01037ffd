/** How long a mailed link to sign in or to confirm works. */
export const LINK_MINUTES = 10
