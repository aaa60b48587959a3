import {
  BadgeCheck, Boxes, Braces, Brackets, Calculator, CaseSensitive, CodeXml, Combine, Diff, Equal, GitMerge, Globe, Hash, Infinity as Endless, MessageCircle, MessageSquareText, MoveHorizontal, Plug, Regex, Repeat, Replace, Ruler, Scale, ScanSearch, Search, Sparkles, Terminal, UserRound, Workflow, type LucideIcon,
} from 'lucide-react'
import { createElement } from 'react'

const icons: Record<string, LucideIcon> = {
  VARIABLE: CaseSensitive, COALESCE: GitMerge, COMBINE_COLUMNS: Combine, COMPARE: Equal, CONTAINS: Search, REGEX: Regex, ASSERT_VALID: BadgeCheck, REGEX_EXTRACTION: ScanSearch,
  JSON_PATH: Braces, XML_PATH: CodeXml, PARSE_VALUE: Replace, APPLY_DIFF: Diff, COUNT: Hash, MATH_OPERATOR: Calculator, MIN_MAX: Ruler, ABSOLUTE_NUMERIC_DISTANCE: MoveHorizontal,
  COSINE_SIMILARITY: Scale, PROMPT_TEMPLATE: MessageSquareText, LLM_ASSERTION: Sparkles, AI_DATA_EXTRACTION: Sparkles, CONVERSATION_SIMULATOR: MessageCircle, CODING_AGENT: Terminal,
  CODE_EXECUTION: Brackets, ENDPOINT: Globe, MCP: Plug, WORKFLOW: Workflow, FOR_LOOP: Repeat, WHILE_LOOP: Endless, HUMAN: UserRound,
}

/** The icon of a node type, always next to its name. */
export function NodeIcon({ type, className }: { type: string; className?: string }) {
  return createElement(icons[type] ?? Boxes, { className, 'aria-hidden': true })
}
