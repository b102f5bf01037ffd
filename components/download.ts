/** Offers a file to save. */
export function download(name: string, file: Blob): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement("a")
  link.href = url
  link.download = name
  link.click()
  // Firefox reads the address after the click.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}

/** Returns a name that every file system accepts. */
export const fileName = (name: string, ending: string): string =>
  `${name.replace(/[^\p{L}\p{N}._-]+/gu, "-").slice(0, 80) || "set"}${ending}`
