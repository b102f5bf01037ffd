/** Returns the status, the error's code or how a 200 was paid, and the error's `param`. */
export async function outcome(response: Response | Promise<Response>) {
  const { status, headers, json } = await Promise.resolve(response).then(async (arrived) => ({
    status: arrived.status,
    headers: arrived.headers,
    json: (await arrived.json()) as { error?: { code: string; param?: string } },
  }))
  const { code, param } = json.error ?? {}
  return [status, code ?? (headers.get("idempotent-replayed") ? "replayed" : "charged"), ...(param ? [param] : [])]
}

export const CHARGED = [200, "charged"]
export const REPLAYED = [200, "replayed"]
export const REFUSED = [400, "invalid_request", "Idempotency-Key"]
