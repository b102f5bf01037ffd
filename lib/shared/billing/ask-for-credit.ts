/** The advice for members whose role may not pay. */
export const ASK_FOR_CREDIT = "Ask an owner or a billing member of this account to add credit."
