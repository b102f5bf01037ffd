export const LICENSES: string
export function thirdPartyLicenses(root: string): Promise<string>
