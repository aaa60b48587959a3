/** The open dialog and the column it belongs to. */
export type Opened = { window: 'model' | 'version' | 'save' | 'differences'; column: number }
