"""What Django and its REST framework are made of here: nothing that a deployment chooses."""

# --- Django -------------------------------------------------------------------------

INSTALLED_APPS = [
    "apps.platform",
    "apps.platform.desk.site.AdminSiteConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "django_filters",
    "django_q",
    "apps.platform.desk",  # after django.contrib.auth, which makes the permissions of roles
    "apps.access.keys",
    "apps.access.paywall",
    "apps.platform.upstreams",
    "apps.payments.chain",
    "apps.payments.callbacks",
    "apps.backoffice.staff",
    "apps.backoffice.review",
    "apps.backoffice.sar",
    "apps.backoffice.oversight",
    "apps.reference.watchlists",
    "apps.reference.countries",
    "apps.reference.lei",
    "apps.reference.signals",
    "apps.compliance.screening",
    "apps.compliance.payees",
    "apps.compliance.agents",
    "apps.insight.esg",
    "apps.compliance.aml",
    "apps.insight.stability",
    "apps.insight.intelligence",
    "apps.insight.forecast",
    "apps.payments.payments",
    "apps.payments.payments.pain001",
    "apps.payments.travelrule",
    "apps.payments.settlement",
    "apps.payments.banking",
    "apps.insight.reports",
    "apps.entry.sandbox",
    "apps.entry.discovery",
]
# Order matters. Requests pass down this list and responses come back up.
MIDDLEWARE = [
    # outermost, so that refusals of the other middleware carry its headers too
    "apps.platform.api.middleware.ContentSecurityMiddleware",
    # before SecurityMiddleware, the first to ask for the host: a host that we do not serve is one
    # line in the log and no traceback
    "apps.platform.api.middleware.ServiceHostMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # directly after the user is identified: nothing acts for an account that fails its check
    "apps.backoffice.staff.middleware.UnprovedStaffMiddleware",
    "apps.access.keys.middleware.SignInLimitMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "apps.backoffice.staff.middleware.StaffAccessMiddleware",
    "apps.backoffice.oversight.middleware.RecordReadsMiddleware",
    # inside RecordReadsMiddleware, which records the page that this one reports as opened
    "apps.payments.travelrule.engagements.middleware.ExaminerMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]
# stores a digest of the session key, so that a copy of the database opens no session
SESSION_ENGINE = "apps.backoffice.staff.session_store"
AUTHENTICATION_BACKENDS = ["apps.backoffice.staff.backends.RecordedStaff"]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
] + [{"NAME": "apps.backoffice.staff.signals.EndSignInsOnPasswordChange"}]
ROOT_URLCONF = "config.urls"
LOGIN_URL = "admin:login"
LOGIN_REDIRECT_URL = "admin:index"  # also where a refused `next` leads
CSRF_FAILURE_VIEW = "apps.platform.desk.error_pages.csrf_failure"
WSGI_APPLICATION = "config.wsgi.application"
# paths of the specification have no slash at the end
APPEND_SLASH = False
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False
FORMAT_MODULE_PATH = "config.formats"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "apps.platform.common.staticfiles.VersionedStaticFilesStorage"},
}
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"}},
    "filters": {
        "hushed": {"()": "apps.platform.common.logging_filters.ConfidentialPathFilter"},
        "answered": {"()": "apps.platform.common.logging_filters.AnsweredRefusalFilter"},
    },
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": "line",
            "filters": ["hushed"],
        }
    },
    "root": {"handlers": ["console"], "level": "INFO"},
    "loggers": {
        "django.request": {"filters": ["answered"]},
        "django-q": {"level": "WARNING"},
        "urllib3": {"level": "INFO"},  # at DEBUG it would write addresses with their tokens
    },
}

# --- API ----------------------------------------------------------------------------

REST_FRAMEWORK = {
    # in this order they look for their own credentials
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "apps.access.paywall.authentication.StreamSessionAuthentication",
        "apps.access.paywall.authentication.X402Authentication",
        "apps.compliance.agents.authentication.AgentAuthentication",
        "apps.payments.travelrule.authentication.CounterpartyAuthentication",
        "apps.payments.banking.authentication.BankSignatureAuthentication",
        "apps.access.keys.authentication.ApiKeyAuthentication",
        "apps.access.keys.authentication.AnonymousAuthentication",
    ],
    "DEFAULT_THROTTLE_CLASSES": ["apps.access.keys.throttling.CallerRateThrottle"],
    "DEFAULT_PERMISSION_CLASSES": [
        "apps.platform.api.permissions.HasGrant",
        "apps.access.keys.permissions.HasKeyKind",
    ],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    # operations parse strictly by classes of their own (apps/platform/api/parsers.py); this one is
    # for views outside them
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_SCHEMA_CLASS": "apps.platform.api.schema.OperationSchema",
    "EXCEPTION_HANDLER": "apps.platform.common.problems.respond_with_problem",
    # `format` is a parameter of exports
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": None,
    "UNAUTHENTICATED_TOKEN": None,
}
SPECTACULAR_SETTINGS = {
    "OAS_VERSION": "3.0.3",
    "COMPONENT_SPLIT_REQUEST": True,
    "SERVE_INCLUDE_SCHEMA": False,
    "ENUM_GENERATE_CHOICE_DESCRIPTION": False,
    "DISABLE_ERRORS_AND_WARNINGS": False,
    "POSTPROCESSING_HOOKS": ["apps.entry.discovery.published_documents.add_published_documents"],
    # each document names those that its operations ask for, in this order
    "APPEND_COMPONENTS": {
        "securitySchemes": {
            "X-API-Key": {"type": "apiKey", "in": "header", "name": "X-API-Key"},
            "X-Internal-Key": {"type": "apiKey", "in": "header", "name": "X-Internal-Key"},
            "Authorization": {"type": "http", "scheme": "bearer"},
            "X-PAYMENT": {"type": "apiKey", "in": "header", "name": "X-PAYMENT"},
            "PAYMENT-SIGNATURE": {"type": "apiKey", "in": "header", "name": "PAYMENT-SIGNATURE"},
            "X-Stream-Session": {"type": "apiKey", "in": "header", "name": "X-Stream-Session"},
            "X-SVC-Signature": {
                "type": "apiKey",
                "in": "header",
                "name": "X-SVC-Signature",
                "description": "HMAC-SHA256 of the raw body, in hexadecimal.",
            },
            "Bank-Signature": {
                "type": "apiKey",
                "in": "header",
                "name": "Bank-Signature",
                "description": "`t=<unix seconds>,v1=<hex>`: HMAC-SHA256 of t, a period and the "
                "raw body.",
            },
        }
    },
    # one document of all services: apps/platform/checks.py judges each service's own
    "ENABLE_DJANGO_DEPLOY_CHECK": False,
}
