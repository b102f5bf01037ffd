const ONE_QUESTION = '{"model":"svc-decider-latest","state":"x","questions":{"q":{"type":"noul","instructions":"?"}}}'

/** Sends `POST /v1/decisions` to the service at `url`: one short question unless a body is given. */
export const sendDecision = (url: string, token: string, body = ONE_QUESTION, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/decisions`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
    body,
  })
