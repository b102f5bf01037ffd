/** A file that cannot become a set. The message says why, and what to do. */
export class BadFile extends Error {}

/** A file with more rows or bytes than a set may have. A sample of it can be opened. */
export class FileOverLimit extends BadFile {}

export const MAX_FILE_BYTES = 50 * 1024 * 1024

/** Longer cells make their row unusable: they are more often an unclosed quote than a text. */
export const MAX_CELL_LENGTH = 1_000_000

export const MAX_COLUMNS = 200

/** A longer one is more often the first row of a file without a header. */
export const MAX_COLUMN_NAME = 1_000
