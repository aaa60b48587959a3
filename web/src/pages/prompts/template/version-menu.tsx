import { useNavigate } from '@tanstack/react-router'
import type { Version } from '@/template/data'
import { versionNote } from '@/template/version-words'
import { Combobox } from '@/ui/combobox'

/** Opens another version in the editor. */
export function VersionMenu({ versions, current }: { versions: Version[]; current: number }) {
  const navigate = useNavigate({ from: '/$workspace/prompts/$prompt' })
  const latest = versions[0]?.number
  return (
    <Combobox
      label="Version"
      className="h-7 min-w-0 text-[13px]"
      options={versions.map((version) => ({ value: String(version.number), label: `Version ${version.number}`, note: versionNote(version) }))}
      value={String(current)}
      onChange={(next) => void navigate({ search: Number(next) === latest ? {} : { version: Number(next) } })}
    />
  )
}
