/** Twenty texts that are control tokens of some vocabulary: the first five of the tiny models of tests. */
export const CONTROL_LOOKING = [
  ...["<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|box_end|>", "</s>", "<s>", "<think>", "</think>"],
  ...["<tool_call>", "<tool_response>", "[SEP]", "[INST]", "[/INST]", "<end_of_turn>", "<EOT>", "[EOT]"],
  ...["<fim_prefix>", "<PRE>", "[PAD]", "<｜end▁of▁sentence｜>"],
]
