/** A window that is open, and the column that it is about. */
export type Opened = { window: 'model' | 'version' | 'save' | 'differences'; column: number }
