import type { Result } from "ioredis"

/** Redis's clock decides the second, so processes whose clocks differ still share one window. */
const OPEN_WINDOW = `
local second = tonumber(redis.call('TIME')[1])
local function open(window)
  if tonumber(redis.call('HGET', window, 'second') or -1) ~= second then
    redis.call('HSET', window, 'second', second, 'used', 0)
    redis.call('PEXPIRE', window, 2000)
  end
end`

const COUNT_REQUEST = `${OPEN_WINDOW}
open(KEYS[1])
open(KEYS[2])
local keyUsed = redis.call('HINCRBY', KEYS[1], 'used', 1)
if keyUsed > tonumber(ARGV[1]) then return {keyUsed, tonumber(redis.call('HGET', KEYS[2], 'used'))} end
return {keyUsed, redis.call('HINCRBY', KEYS[2], 'used', 1)}`

const COUNT_ADDRESS = `${OPEN_WINDOW}
open(KEYS[1])
return redis.call('HINCRBY', KEYS[1], 'used', 1)`

const RECORD_ALIVE = `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now - ARGV[2])
if ARGV[1] ~= '' then redis.call('ZADD', KEYS[1], now, ARGV[1]) end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return redis.call('ZCARD', KEYS[1])`

declare module "ioredis" {
  interface RedisCommander<Context> {
    /** Counts a request in its key's window and, unless the key is then over `keyLimit`, in its account's. Returns both counts. */
    countRequest(keyWindow: string, accountWindow: string, keyLimit: number): Result<[number, number], Context>
    countAddress(window: string): Result<number, Context>
    /**
     * Records that an instance is alive, or nothing for an empty id. Returns how many instances recorded this in the last
     * `livingMs` milliseconds.
     */
    recordAlive(instances: string, id: string, livingMs: number): Result<number, Context>
  }
}

/** The Lua scripts, which ioredis adds to the client as commands of these names. */
export const SCRIPTS = {
  countRequest: { lua: COUNT_REQUEST, numberOfKeys: 2 },
  countAddress: { lua: COUNT_ADDRESS, numberOfKeys: 1 },
  recordAlive: { lua: RECORD_ALIVE, numberOfKeys: 1 },
}
