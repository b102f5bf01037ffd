/** Serializes what it is sent and drops it: a closed port has no receiver. */
const { port1: nowhere } = new MessageChannel()
nowhere.close()

/** Smaller buffers are left to the garbage collector, because detaching one takes a few microseconds. */
const MIN_BYTES = 16 * 1024

/**
 * Frees the memory of a buffer at once instead of at the next garbage collection, if the bytes are all that it holds. Every view
 * of it is empty afterwards. Memory outside the heap otherwise makes V8 collect the whole heap for each 64 MiB that were read.
 */
export function freeMemory({ buffer, length }: Uint8Array): void {
  if (length < MIN_BYTES || length !== buffer.byteLength || !(buffer instanceof ArrayBuffer)) return
  nowhere.postMessage(null, [buffer])
}
