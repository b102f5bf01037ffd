/**
 * The address of models that run in the service's own engine, in place of a real one. Processes of an earlier version find no
 * such host, and report the model as unavailable.
 */
export const OWN_ENGINE_URL = "http://own-engine.invalid"
