package run

// interrupted is the message of a step that was active when its process was
// lost.
const interrupted = "The server stopped while running this node. The step may have taken effect, so it was not repeated."

// cancelled is the message of nodes whose run was cancelled.
const cancelled = "The run was cancelled"
