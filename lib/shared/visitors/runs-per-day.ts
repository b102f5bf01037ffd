/** How many decisions a client may run without an account on a UTC day. */
export const RUNS_PER_DAY = 10
