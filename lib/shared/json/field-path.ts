/** The names and indexes that lead to a field of a request. Empty for the body itself. */
export type FieldPath = readonly (string | number)[]

/** Returns a path as the `param` of an error, such as `questions.topic.criteria`. A name may itself contain dots. */
export const paramOf = (path: FieldPath): string => path.join(".") || "body"
