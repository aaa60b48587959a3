import { useState } from 'react'
import { readModel } from '@/template/types'
import { chooseModel, type Column } from '../model/session'
import { ModelChoice } from '@/template/model-choice'
import { FormDialog } from '@/ui/form-dialog'

/** Adds a column with the same messages for another model. */
export function CompareModelDialog({ column, onChoose, onClose }: { column: Column; onChoose: (metadata: Record<string, unknown> | null) => void; onClose: () => void }) {
  const current = readModel(column.metadata)
  const [chosen, setChosen] = useState({ provider: current?.provider ?? '', name: '' })
  const add = () => {
    onChoose(chooseModel(column.metadata, chosen.provider, chosen.name))
    onClose()
  }
  return (
    <FormDialog
      size="narrow"
      title="Compare with another model"
      description={current ? `Adds a column with the same messages and parameters as ${current.name}.` : 'Adds a column with the same messages.'}
      action="Add column"
      ready={chosen.name !== ''}
      onSubmit={add}
      onClose={onClose}
    >
      <ModelChoice label="Model to compare with" className="w-full" provider={chosen.provider} name={chosen.name} onChange={(provider, name) => setChosen({ provider, name })} />
    </FormDialog>
  )
}
