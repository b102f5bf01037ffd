import os

from scrapy import Spider
from scrapy.crawler import CrawlerProcess


class Messages(Spider):
    name = "messages"

    async def start(self):
        for text in ["Please refund me.", "Thank you."]:
            yield {"message": text}


SETTINGS = {
    "ADDONS": {"scrapy_jev.Addon": 350},
    "JEV_FIELDS": ["message"],
    "JEV_FIELD_THRESHOLD": 0.0,
    "JEV_SAMPLE_SIZE": 2,
    "JEV_BASE_URL": os.environ["JEV_BASE_URL"],
    "JEV_MODEL": os.environ["JEV_MODEL"],
    "LOG_LEVEL": "WARNING",
}
process = CrawlerProcess(SETTINGS)
crawler = process.create_crawler(Messages)
process.crawl(crawler)
process.start()
print(crawler.stats.get_value("item_scraped_count"), crawler.stats.get_value("finish_reason"))
