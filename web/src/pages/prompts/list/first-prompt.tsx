import { MessageSquareText, Plus } from 'lucide-react'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState } from '@/ui/page'

/** Shown while the workspace has no prompts: what they are, and how to create one. */
export function FirstPrompt({ onCreate }: { onCreate?: () => void }) {
  const example = `curl ${window.location.origin}/rest/prompt-templates \\
  -H "X-API-KEY: $KEY" -H "Content-Type: application/json" -d '{
  "prompt_template": {"prompt_name": "welcome"},
  "prompt_version": {"prompt_template": {"type": "chat", "messages": [
    {"role": "user", "content": [{"type": "text", "text": "Greet {name}"}]}]}},
  "release_labels": ["prod"]}'`
  return (
    <EmptyState title="No prompts yet" icon={<MessageSquareText />} action={onCreate && <Button look="primary" onClick={onCreate}><Plus /> New prompt</Button>}>
      <p>Versions of a prompt never change. Release labels such as prod point to a version, and applications fetch prompts by label. To release a new version, move the label.</p>
      <p className="mt-4 mb-2">Create a prompt here, or with the API:</p>
      <Snippet code={example} className="text-left" />
    </EmptyState>
  )
}
