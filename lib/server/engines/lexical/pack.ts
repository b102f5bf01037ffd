import { JsonText } from "@/lib/shared/json/text"

/** Returns a copy of a request's part that another thread can receive. It holds only the texts' own bytes, not the whole body. */
export function pack(value: unknown): unknown {
  if (value instanceof JsonText) return { kind: value.kind, source: value.source.slice() }
  return copyWith(value, pack)
}

/** Restores what `pack` returned, on the other thread. */
export function unpack<Value>(packed: unknown): Value {
  return restore(packed) as Value
}

function restore(packed: unknown): unknown {
  if (packed !== null && typeof packed === "object" && "source" in packed && packed.source instanceof Uint8Array)
    return new JsonText((packed as unknown as JsonText).kind, packed.source)
  return copyWith(packed, restore)
}

function copyWith(value: unknown, copy: (member: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(copy)
  if (value === null || typeof value !== "object") return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, copy(member)]))
}
