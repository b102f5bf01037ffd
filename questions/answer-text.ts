/** Writes a JSON object. A JavaScript object would move names like `10` to the front and lose `__proto__`. */
export const jsonObject = (members: [name: string, json: string][]): string =>
  `{${members.map(([name, json]) => `${JSON.stringify(name)}:${json}`).join(",")}}`

export const typescriptUnion = (texts: string[]): string => texts.map((text) => JSON.stringify(text)).join(" | ")
