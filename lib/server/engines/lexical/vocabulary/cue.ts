/**
 * The weight of one match, 0 to 1, and a comma-separated list of phrases. Phrases are lower-case regular expressions in
 * which ` … ` matches up to four words.
 */
export type Cue = [weight: number, phrases: string]
