const TEXT = (name: string): string => `{{ ${name} if ${name} is string else ${name} | tojson }}`
const TURN = "<|im_end|>\n<|im_start|>assistant\n"

/**
 * Templates with the inputs and the layout of the real ones: the state first, then one question. The model nimble lists all
 * questions of the request, and openjev gets no labels.
 */
export const TINY_TEMPLATES: Record<string, string> = {
  lev: `<|im_start|>system\nAnswer with one label.<|im_end|>\n<|im_start|>user\n# Evidence\n${TEXT("state")}\n\n# Criterion\n${TEXT(
    "instructions",
  )}\n{% if type == 'noul' %}# Scale\n{% for o in options %}{% if o.description %}{{ o.key }}: ${TEXT(
    "o.description",
  )}\n{% endif %}{% endfor %}{% else %}# Options\n{% for o in options %}{{ o.label }}. {{ o.key }}{% if o.description %}: ${TEXT(
    "o.description",
  )}{% endif %}\n{% endfor %}{% endif %}${TURN}`,
  openjev: `<|im_start|>user\n${TEXT("state")}\n\n${TEXT("instructions")}\n{% for o in options %}{{ 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'[loop.index0] }}) {{ o.key }}{% if o.description %}: ${TEXT(
    "o.description",
  )}{% endif %}\n{% endfor %}${TURN}`,
  nimble: `<|im_start|>user\n{"context": {{ state | tojson }}, "schema": [{% for q in questions %}{"name": {{ q.id | tojson }}, "description": {{ q.instructions | tojson }}, "choices": [{% for o in q.options %}{"code": {{ o.label | tojson }}, "value": {{ o.key | tojson }}}{% if not loop.last %}, {% endif %}{% endfor %}]}{% if not loop.last %}, {% endif %}{% endfor %}]}\n\nRequested field: {{ id | tojson }}${TURN}`,
  chat: `{% for message in messages %}<|im_start|>{{ message.role }}\n{{ message.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}`,
}
