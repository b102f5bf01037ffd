export function releaseNeeds(root: string): Promise<{ state: "ok" | "missing" | "unknown"; text: string }[]>
