# One image for web, index keeper and background workers; compose.yaml says which does what.
FROM python:3.12-slim
ENV PYTHONDONTWRITEBYTECODE=1 PYTHONUNBUFFERED=1 VAR_DIR=/var/lib/oracle HOST=0.0.0.0
WORKDIR /srv/oracle
COPY requirements.lock .
RUN pip install --no-cache-dir --require-hashes --requirement requirements.lock
COPY manage.py ./
COPY config config
COPY apps apps
COPY templates templates
COPY static static
# what is published in them is refused as a secret
COPY README.md compose.yaml ./
COPY docs docs
RUN useradd --system --home-dir /var/lib/oracle --create-home oracle
USER oracle
VOLUME /var/lib/oracle
EXPOSE 8000
CMD ["python", "-m", "config.supervise"]
