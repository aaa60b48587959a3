import { ApiError, readError, sessionHeaders } from '@/api/client'

/** Sends a body with upload progress, which fetch does not support. Resolves to the id of the dataset. */
export function upload(body: Blob, onProgress: (share: number) => void, signal: AbortSignal): Promise<number> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', '/api/public/v2/dataset-versions/from-file')
    request.responseType = 'json'
    request.setRequestHeader('Content-Type', 'application/json')
    for (const [name, value] of Object.entries(sessionHeaders('POST'))) request.setRequestHeader(name, value)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 0)
    request.upload.onload = () => onProgress(1)
    request.onload = () => {
      const answer: unknown = request.response
      if (request.status >= 200 && request.status < 300 && isQueued(answer)) resolve(answer.dataset_id)
      else reject(readError(request.status, answer))
    }
    request.onerror = () => reject(new ApiError(0, 'The connection was lost during the upload. Nothing was imported.'))
    request.onabort = () => reject(new DOMException('Import stopped', 'AbortError'))
    signal.addEventListener('abort', () => request.abort(), { once: true })
    if (signal.aborted) request.abort()
    else request.send(body)
  })
}

function isQueued(answer: unknown): answer is { dataset_id: number } {
  return typeof answer === 'object' && answer !== null && 'dataset_id' in answer && typeof answer.dataset_id === 'number'
}
