/** Returns the pattern of SQL's `LIKE` for texts that start with this one. */
export const likeStart = (text: string): string => `${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
