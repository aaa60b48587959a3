package run

// interrupted is what is known of a step that was under way when its process
// was lost.
const interrupted = "The server stopped while this node ran. It may have taken effect, so it was not repeated."

// cancelled is what is known of nodes of a run that somebody ended.
const cancelled = "The run was cancelled"
