import { MessageSquareText, Plus } from 'lucide-react'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { EmptyState } from '@/ui/page'

/** Shown while the workspace has no prompt: what one is, and how the first gets here. */
export function FirstPrompt({ onCreate }: { onCreate?: () => void }) {
  const example = `curl ${window.location.origin}/rest/prompt-templates \\
  -H "X-API-KEY: $KEY" -H "Content-Type: application/json" -d '{
  "prompt_template": {"prompt_name": "welcome"},
  "prompt_version": {"prompt_template": {"type": "chat", "messages": [
    {"role": "user", "content": [{"type": "text", "text": "Greet {name}"}]}]}},
  "release_labels": ["prod"]}'`
  return (
    <EmptyState title="No prompts yet" icon={<MessageSquareText />} action={onCreate && <Button look="primary" onClick={onCreate}><Plus /> New prompt</Button>}>
      <p>A prompt has versions that never change. A label such as prod points at one of them; programs fetch by label, and a release is moving the label.</p>
      <p className="mt-4 mb-2">Make one here, or send it:</p>
      <Snippet code={example} className="text-left" />
    </EmptyState>
  )
}
