import { z } from "zod"

/** The console's look; anything else than the three, or nothing, follows the system. */
export const Theme = z.enum(["system", "light", "dark"]).catch("system")
export type Theme = z.infer<typeof Theme>
