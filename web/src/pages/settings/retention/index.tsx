import { useMay } from '@/api/session'
import { ErrorState, Loading } from '@/ui/page'
import { TabPanel, Tabs } from '@/ui/tabs'
import { NotAllowed, Section, useSectionSearch } from '../section'
import { Deletions } from './deletions'
import { useRetention } from './retention-data'
import { RulesForm } from './rules-form'

export function RetentionSection() {
  const manages = useMay('MANAGE_DATA')
  const [search, change] = useSectionSearch()
  const stored = useRetention()
  const tab = search.tab === 'deletions' ? 'deletions' : 'rules'
  return (
    <Section id="retention">
      <Tabs
        label="Data retention"
        value={tab}
        tabs={[{ value: 'rules', label: 'Rules' }, { value: 'deletions', label: 'Deletions' }]}
        onChange={(next) => change({ tab: next === 'deletions' ? next : undefined, page: undefined, entry: undefined })}
      >
        <TabPanel value="rules" className="pt-4">
          {stored.isPending && <Loading />}
          {stored.isError && <ErrorState error={stored.error} retry={() => void stored.refetch()} />}
          {stored.data && <RulesForm key={stored.data.updated_at} stored={stored.data} manages={manages} />}
        </TabPanel>
        <TabPanel value="deletions" className="pt-4">
          {manages ? <Deletions /> : <NotAllowed permission="MANAGE_DATA">Your role does not allow you to see deletions: they can identify users.</NotAllowed>}
        </TabPanel>
      </Tabs>
    </Section>
  )
}
