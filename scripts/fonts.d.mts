export const FOLDER: string
export const FONTS: Record<string, string>
export function subsetOf(file: string): Promise<Buffer>
