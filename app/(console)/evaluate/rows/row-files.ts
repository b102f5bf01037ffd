/** The files that a browser offers to open as rows. */
export const ROW_FILES = ".csv,.tsv,.tab,.txt,.json,.jsonl,.ndjson,text/csv,text/plain,application/json"
