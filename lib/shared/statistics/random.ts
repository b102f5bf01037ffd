import { xoroshiro128plus } from "pure-rand/generator/xoroshiro128plus"

/** A seeded source of random numbers. The same seed gives the same numbers on every machine. */
export interface Random {
  /** Returns a number from 0 up to, but not including, 1, with 32 random bits. */
  share(): number
  /** Returns an integer from 0 to `count` - 1. A value's chance differs from the others' by at most `count` / 2^32. */
  below(count: number): number
}

const RANGE = 2 ** 32

/** Spreads a seed over 32 bits (the finalizer of MurmurHash3): the generator's first numbers hardly depend on a small seed. */
function mixed(seed: number): number {
  let bits = (seed + 0x9e3779b9) | 0
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return bits ^ (bits >>> 16)
}

/** Creates the generator xoroshiro128+ (Blackman and Vigna, 2018) of pure-rand. `seed` is a 32-bit integer. */
export function seededRandom(seed: number): Random {
  const generator = xoroshiro128plus(mixed(seed))
  const share = () => (generator.next() >>> 0) / RANGE
  return { share, below: (count) => Math.floor(share() * count) }
}
