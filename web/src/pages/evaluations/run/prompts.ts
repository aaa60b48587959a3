export interface PromptUse {
  /** The name or the id of the template. */
  identifier: string
  version?: number
  label?: string
}

/** The prompts from the registry that columns use, without duplicates. */
export function promptsOf(columns: { column_type: string; configuration: Record<string, unknown> }[]): PromptUse[] {
  const found = new Map<string, PromptUse>()
  for (const { configuration } of columns) {
    const template = configuration.template
    if (typeof template !== 'object' || template === null) continue
    const { prompt_name, name, id, version_number, label } = template as Record<string, unknown>
    const identifier = [prompt_name, name, id].find((one) => typeof one === 'string' ? one !== '' : typeof one === 'number')
    if (identifier === undefined) continue
    const use: PromptUse = {
      identifier: String(identifier),
      ...(typeof version_number === 'number' ? { version: version_number } : {}),
      ...(typeof label === 'string' && label !== '' ? { label } : {}),
    }
    found.set(JSON.stringify(use), use)
  }
  return [...found.values()]
}
