import { BACKSLASH, QUOTE } from "./bytes"
import { escapeUnit } from "./escapes"

/**
 * The one length of a compact value that only reading it tells: of a string the UTF-8 bytes of its characters, of an object
 * or array its bytes once it is quoted as a JSON string.
 */
export const measureOf = (isString: boolean, source: Uint8Array): number =>
  isString ? textBytes(source) : quotedBytes(source)

function textBytes(source: Uint8Array): number {
  const end = source.length - 1
  let bytes = end - 1
  for (let at = source.indexOf(BACKSLASH); at >= 0 && at < end; at++) {
    if (source[at] !== BACKSLASH) continue
    const isUnicode = source[at + 1] === 0x75
    const unit = isUnicode ? escapeUnit(source, at, end) : 0
    const isPair = unit >= 0xd800 && unit <= 0xdbff
    const length = isPair ? 12 : isUnicode ? 6 : 2
    bytes += (isPair ? 4 : unit < 0x80 ? 1 : unit < 0x800 ? 2 : 3) - length
    at += length - 1
  }
  return bytes
}

function quotedBytes(source: Uint8Array): number {
  let bytes = source.length + 2
  for (let at = 0; at < source.length; at++) if (source[at] === QUOTE || source[at] === BACKSLASH) bytes++
  return bytes
}
