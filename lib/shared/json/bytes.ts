/** The bytes with a meaning in the grammar of JSON. */
export const QUOTE = 0x22
export const BACKSLASH = 0x5c
export const COMMA = 0x2c
export const COLON = 0x3a
export const OPEN_BRACE = 0x7b
export const CLOSE_BRACE = 0x7d
export const OPEN_BRACKET = 0x5b
export const CLOSE_BRACKET = 0x5d
export const MINUS = 0x2d
export const PLUS = 0x2b
export const DOT = 0x2e
export const ZERO = 0x30
export const NINE = 0x39
export const SPACE = 0x20

/** Returns whether a byte is white space. No other byte up to a space is allowed between tokens. */
export const isSpace = (byte: number): boolean => byte === SPACE || byte === 0x0a || byte === 0x0d || byte === 0x09
