/** Where zod keeps its settings, whether it is loaded before or after they are set. */
const scope = globalThis as { __zod_globalConfig?: { jitless?: boolean } }

/**
 * Keeps zod from probing `new Function`, which the policy of pages forbids. Importing zod's own `config` would add 4 kB to every page
 * that loads no zod.
 */
export function forbidEval(): void {
  scope.__zod_globalConfig ??= {}
  scope.__zod_globalConfig.jitless = true
}
