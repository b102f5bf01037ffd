import { changeOne } from "./change-one"

/** Where a pinned model's engine is reached now. What it runs is pinned and does not change. */
export const setEngineUrl = (id: string, engineUrl: string): Promise<void> =>
  changeOne("UPDATE model SET engine_url = $2 WHERE id = $1 AND engine = 'system-one'", [id, engineUrl])
