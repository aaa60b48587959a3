import type { Template } from '@/step/step-type'

/** What a template checks, with a worked example. */
export function TemplateExample({ template: { name, doc, example } }: { template: Template }) {
  return (
    <section aria-label={`Example of ${name}`} className="flex flex-col gap-2 rounded-md border border-line bg-sunken px-3 py-2 text-[13px]">
      <p>{doc}</p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 gap-y-1">
        <Part term="Text">{example.text}</Part>
        {example.values?.map((one) => <Part key={one.name} term={one.name}>{one.value}</Part>)}
        <Part term="Verdict"><strong className="font-medium">{typeof example.verdict === 'string' ? example.verdict : JSON.stringify(example.verdict)}</strong></Part>
        {example.reason !== undefined && <Part term="Reason">{example.reason}</Part>}
      </dl>
    </section>
  )
}

function Part({ term, children }: { term: string; children: React.ReactNode }) {
  return (
    <>
      <dt className="text-dim">{term}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </>
  )
}
