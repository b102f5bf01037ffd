/** Submits a form without fields, as its button on a page does: the browser loads the next page anew. */
export function postForm(action: string): void {
  const form = document.createElement("form")
  form.method = "post"
  form.action = action
  document.body.append(form)
  form.submit()
}
