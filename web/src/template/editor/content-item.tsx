import { Brain, Code, FileImage, Image, Upload } from 'lucide-react'
import { useId, useState, type ReactNode } from 'react'
import { bytes } from '@/lib/format'
import { isObject } from '@/lib/json'
import { Badge } from '@/ui/badge'
import { Button } from '@/ui/button'
import { CodeEditor } from '@/ui/code'
import { Field, Input, Select, Textarea } from '@/ui/field'
import { omit, text, type ContentItem } from '../types'
import { JsonField } from './json-field'

interface ItemProps {
  value: ContentItem
  onChange: (value: ContentItem) => void
  label: string
  readOnly?: boolean
}

/** A content item other than text. Types without a form are shown as JSON. */
export function ContentItemEditor(props: ItemProps) {
  switch (props.value.type) {
    case 'image_url':
      return <ImageItem {...props} />
    case 'media':
      return <MediaItem {...props} />
    case 'media_variable':
      return (
        <Frame icon={<FileImage />} title="Media from a variable">
          <Field label="Variable" hint="Its value is a URL or base64 data, or a list of them.">
            {(control) => <Input {...control} readOnly={props.readOnly} value={text(props.value.name)} onChange={(event) => props.onChange({ ...props.value, name: event.target.value })} />}
          </Field>
        </Frame>
      )
    case 'thinking':
      return (
        <Frame icon={<Brain />} title="Thinking" fold>
          <Textarea aria-label={`${props.label}: thinking`} rows={4} readOnly={props.readOnly} value={text(props.value.thinking)} onChange={(event) => props.onChange({ ...props.value, thinking: event.target.value })} />
          {text(props.value.signature) !== '' && <p className="mt-1 text-xs text-faint">Signed by the provider. Editing the text invalidates the signature.</p>}
        </Frame>
      )
    case 'code':
      return (
        <Frame icon={<Code />} title="Code">
          <CodeEditor label={`${props.label}: code`} readOnly={props.readOnly} value={text(props.value.code)} onChange={(code) => props.onChange({ ...props.value, code })} />
        </Frame>
      )
    default:
      return (
        <Frame title={props.value.type.replaceAll('_', ' ')} fold>
          <JsonField value={props.value} expects="object" readOnly={props.readOnly} label={`${props.label} as JSON`} onChange={(value) => isObject(value) && typeof value.type === 'string' && props.onChange(value as ContentItem)} />
        </Frame>
      )
  }
}

function Frame({ icon, title, fold, children }: { icon?: ReactNode; title: string; fold?: boolean; children: ReactNode }) {
  const heading = <span className="inline-flex items-center gap-1.5 text-xs font-medium text-dim [&_svg]:size-3.5">{icon} {title}</span>
  if (!fold) {
    return (
      <div className="rounded-md border border-line bg-sunken p-2.5">
        <div className="mb-2">{heading}</div>
        {children}
      </div>
    )
  }
  return (
    <details className="rounded-md border border-line bg-sunken">
      <summary className="px-2.5 py-1.5">{heading}</summary>
      <div className="px-2.5 pb-2.5">{children}</div>
    </details>
  )
}

function ImageItem({ value, onChange, readOnly }: ItemProps) {
  const image = isObject(value.image_url) ? value.image_url : {}
  const url = text(image.url)
  return (
    <Frame icon={<Image />} title="Image">
      <div className="grid gap-2 sm:grid-cols-[1fr_8rem_10rem]">
        <Address label="URL" value={url} readOnly={readOnly} onChange={(next) => onChange({ ...value, image_url: { ...image, url: next } })} />
        <Field label="Detail">
          {(control) => (
            <Select {...control} className="w-full" disabled={readOnly} value={text(image.detail)} onChange={(event) => onChange({ ...value, image_url: withMember(image, 'detail', event.target.value) })}>
              <option value="">default</option>
              <option>low</option>
              <option>high</option>
              <option>auto</option>
            </Select>
          )}
        </Field>
        <Field label="Or from a variable">
          {(control) => <Input {...control} readOnly={readOnly} value={text(value.image_variable)} onChange={(event) => onChange(withMember(value, 'image_variable', event.target.value) as ContentItem)} />}
        </Field>
      </div>
      <Preview url={url} />
    </Frame>
  )
}

function MediaItem({ value, onChange, readOnly }: ItemProps) {
  const media = isObject(value.media) ? value.media : {}
  const set = (members: Record<string, unknown>) => onChange({ ...value, media: { ...media, ...members } })
  const kind = text(media.type) || 'image/jpeg'
  const url = text(media.url)
  const preview = text(media.format) === 'base64' && url !== '' && !url.startsWith('data:') ? `data:${kind};base64,${url}` : url
  return (
    <Frame icon={<FileImage />} title="Media">
      <div className="grid gap-2 sm:grid-cols-[1fr_9rem_9rem]">
        <Address label="URL or data" value={url} readOnly={readOnly} onChange={(next) => set({ url: next, format: next.startsWith('data:') ? 'base64' : 'url' })} />
        <Field label="Type">{(control) => <Input {...control} readOnly={readOnly} value={kind} onChange={(event) => set({ type: event.target.value })} />}</Field>
        <Field label="Title">{(control) => <Input {...control} readOnly={readOnly} value={text(media.title)} onChange={(event) => set({ title: event.target.value })} />}</Field>
      </div>
      {!readOnly && <FilePicker onPick={(file, data) => set({ url: data, type: file.type || 'application/octet-stream', title: file.name, format: 'base64' })} />}
      <Preview url={preview} />
    </Frame>
  )
}

/** A URL. Data URLs are long, so only their size is shown. */
function Address({ label, value, onChange, readOnly }: { label: string; value: string; onChange: (value: string) => void; readOnly?: boolean }) {
  const id = useId()
  if (value.length > 500) {
    return (
      <div className="flex flex-col gap-1">
        <span id={id} className="text-[13px] font-medium text-dim">{label}</span>
        <span aria-labelledby={id} className="flex h-8 items-center gap-2">
          <Badge>data, {bytes(Math.round(value.length * 0.75))}</Badge>
          {!readOnly && <Button small look="quiet" onClick={() => onChange('')}>Remove</Button>}
        </span>
      </div>
    )
  }
  return <Field label={label}>{(control) => <Input {...control} readOnly={readOnly} value={value} placeholder="https://…" onChange={(event) => onChange(event.target.value)} />}</Field>
}

const largestFile = 5_000_000

function FilePicker({ onPick }: { onPick: (file: File, data: string) => void }) {
  const [problem, setProblem] = useState<string | null>(null)
  const read = (file: File | undefined) => {
    if (file === undefined) return
    if (file.size > largestFile) {
      setProblem(`The file is too large (${bytes(file.size)}, limit ${bytes(largestFile)}). Use a URL instead.`)
      return
    }
    setProblem(null)
    const reader = new FileReader()
    reader.onload = () => typeof reader.result === 'string' && onPick(file, reader.result)
    reader.readAsDataURL(file)
  }
  return (
    <div className="mt-2">
      <label className="inline-flex h-7 cursor-pointer items-center gap-1.5 rounded-md border border-line-strong bg-surface px-2 text-[13px] focus-within:outline-2 focus-within:outline-accent hover:bg-hover [&_svg]:size-4">
        <Upload /> Choose file
        <input type="file" className="sr-only" onChange={(event) => read(event.target.files?.[0])} />
      </label>
      {problem !== null && <p role="alert" className="mt-1 text-[13px] text-bad">{problem}</p>}
    </div>
  )
}

/** Shows data URLs only, so that nothing is fetched from another host. */
function Preview({ url }: { url: string }) {
  return url.startsWith('data:image/') ? <img src={url} alt="Preview" className="mt-2 max-h-40 rounded border border-line" /> : null
}

function withMember(object: Record<string, unknown>, name: string, value: string): Record<string, unknown> {
  return value === '' ? omit(object, name) : { ...object, [name]: value }
}
