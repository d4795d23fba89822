"""Says what haralyzer finds in an archive, as JSON: read_har.py FILE"""

import json
import sys

from haralyzer import HarParser

parser = HarParser.from_file(sys.argv[1])
pages = parser.pages
print(
    json.dumps(
        {
            "version": parser.version,
            "creator": parser.creator["name"],
            "pages": [
                {
                    "id": page.page_id,
                    "entries": len(page.entries),
                    "size": page.page_size,
                    "transferred": page.page_size_trans,
                    "loadTime": page.get_load_time(asynchronous=False),
                    "timeToFirstByte": page.time_to_first_byte,
                    "gets": len(page.get_requests),
                    "posts": len(page.post_requests),
                }
                for page in pages
            ],
            "entries": [
                {
                    "url": entry.url,
                    "status": entry.status,
                    "time": entry.time,
                    "started": entry.startTime.timestamp(),
                    "method": entry.request.method,
                    "httpVersion": entry.response.httpVersion,
                    "contentSize": entry.response.contentSize,
                    "bodySize": entry.response.bodySize,
                    "headersSize": entry.response.headersSize,
                    "mimeType": entry.response.mimeType,
                    "host": entry.request.host,
                    "isSuccess": parser.match_status_code(entry, "^2"),
                    "isJSON": parser.match_content_type(entry, "json"),
                    "receive": entry.timings["receive"],
                }
                for page in pages
                for entry in page.entries
            ],
        }
    )
)
