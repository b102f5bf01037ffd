/**
 * Switches to an account, `acc_…`, and opens a path of it, as the account menu does: the browser submits a form, so the next page is
 * loaded anew and the tab shows the new account.
 */
export function switchTo(account: string, next: string): void {
  const form = document.createElement("form")
  form.method = "post"
  form.action = "/api/auth/account"
  for (const [name, value] of Object.entries({ account, next })) {
    const input = document.createElement("input")
    Object.assign(input, { type: "hidden", name, value })
    form.append(input)
  }
  document.body.append(form)
  form.submit()
}
