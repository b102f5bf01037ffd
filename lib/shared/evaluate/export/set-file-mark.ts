/** The value of `format`, the first member of an exported set. */
export const SET_FORMAT = "decision-service evaluation"

/** Returns whether a file looks like an exported set rather than rows. Reads its first characters only. */
export const looksLikeSetFile = async (file: Blob): Promise<boolean> =>
  (await file.slice(0, 200).text()).startsWith(`{"format":"${SET_FORMAT}"`)
