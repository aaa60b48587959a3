type Run =
  | { id: number; workflow: number; version: number; evaluation?: undefined }
  | { id: number; evaluation: number; workflow?: undefined }

/** The workflow run or evaluation run that the root of its trace names. */
export function runOf(attributes: Record<string, unknown>): Run | undefined {
  const { workflow_version_execution_id: workflowRun, workflow_id: workflow, workflow_version: version, report_id: report, parent_report_id: evaluation } = attributes
  if (isNumber(workflowRun) && isNumber(workflow) && isNumber(version)) return { id: workflowRun, workflow, version }
  if (isNumber(report) && isNumber(evaluation)) return { id: report, evaluation }
  return undefined
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number'
}
