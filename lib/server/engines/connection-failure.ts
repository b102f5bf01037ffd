/** The cause of a `ServiceError` when no answer came over the wire at all: refused, reset, unreachable or silent. */
export class ConnectionFailure extends Error {
  constructor(
    /** In plain words for the operator, such as "connection refused". */
    readonly kind: string,
    options?: ErrorOptions,
  ) {
    super(kind, options)
    this.name = "ConnectionFailure"
  }
}
