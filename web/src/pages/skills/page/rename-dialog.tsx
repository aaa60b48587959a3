import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api, call } from '@/api/client'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Field, Input } from '@/ui/field'
import { useToast } from '@/ui/toast'
import { skillPath, useRefreshSkills, type Skill } from '../data'

export function RenameDialog({ skill, onClose }: { skill: Skill; onClose: () => void }) {
  const [name, setName] = useState(skill.name)
  const refresh = useRefreshSkills()
  const toast = useToast()
  const rename = useMutation({
    mutationFn: () => call(api.PATCH('/api/public/v2/skill-collections/{identifier}', { params: skillPath(skill.id), body: { name: name.trim() } })),
    onSuccess: ({ skill_collection }) => {
      toast.done(`${skill.name} renamed to ${skill_collection.name}`)
      void refresh()
      onClose()
    },
  })
  const submit = (event: React.FormEvent) => {
    event.preventDefault()
    rename.mutate()
  }
  return (
    <Dialog
      open
      size="narrow"
      title={`Rename ${skill.name}`}
      description="Files and versions are not changed. Agents that use the old name will no longer find the collection."
      onOpenChange={(open) => !open && onClose()}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" form="rename-skill" busy={rename.isPending} disabled={name.trim() === '' || name.trim() === skill.name}>Rename</Button>
        </>
      }
    >
      <form id="rename-skill" onSubmit={submit}>
        <Field label="Name" error={rename.error?.message}>
          {(control) => <Input {...control} autoFocus maxLength={255} value={name} onChange={(event) => setName(event.target.value)} />}
        </Field>
      </form>
    </Dialog>
  )
}
