/** Returns whether a dialog or a menu is open. Shortcuts of the page must not act behind it. */
export const isModalOpen = (): boolean => document.querySelector("[role=dialog], [role=menu], dialog[open]") !== null
