export interface SavedCard {
  /** As Stripe names it, such as `visa`. */
  brand: string
  last4: string
  expMonth: number
  expYear: number
}

const BRANDS: Record<string, string> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  mastercard: "Mastercard",
  unionpay: "UnionPay",
  visa: "Visa",
}

/** Returns a card as people know it: "Visa ending in 4242". */
export const cardName = ({ brand, last4 }: Pick<SavedCard, "brand" | "last4">): string =>
  `${BRANDS[brand] ?? brand.replace(/^./, (letter) => letter.toUpperCase()).replaceAll("_", " ")} ending in ${last4}`
